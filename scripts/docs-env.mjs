// Writes .env.example and the tables of settings in docs/configuration.md from server/src/config/settings.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { envExample, withSettingTables } from '../server/src/config/setting-documents.ts'

const root = new URL('../', import.meta.url)
const page = new URL('docs/configuration.md', root)
writeFileSync(new URL('.env.example', root), envExample())
writeFileSync(page, withSettingTables(readFileSync(page, 'utf8')))
