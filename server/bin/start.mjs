// `node server/bin/start.mjs [all | api | worker | migrate]`: the bundle of the server where there is one, else its sources.
import { pathToFileURL } from 'node:url'
import { serverEntry } from '../../scripts/server-entry.mjs'

await import(pathToFileURL(serverEntry('main')).href)
