// The command line: `./convexa` (on Windows `node convexa.mjs`). Installs what is missing, then runs it on the pinned Node. Plain JavaScript
// for Node 20.

import { runOnPinnedNode } from './scripts/pinned-node.mjs'
import { prepare } from './scripts/prepare.mjs'
import { serverEntry } from './scripts/server-entry.mjs'

const args = process.argv.slice(2)
// `./convexa start [role]` is the product itself, as `npm start` is: an installation without npm has it too.
const starts = args[0] === 'start' && !args.includes('--help')
prepare({ web: starts, dev: false })
await runOnPinnedNode(serverEntry(starts ? 'main' : 'convexa'), starts ? args.slice(1) : args)
