// The command line: `./convexa` (on Windows `node convexa.mjs`). Installs what is missing, then runs it on the pinned Node. Plain JavaScript
// for Node 20.

import { runOnPinnedNode } from './scripts/pinned-node.mjs'
import { prepare } from './scripts/prepare.mjs'
import { serverEntry } from './scripts/server-entry.mjs'

prepare({ dev: false })
await runOnPinnedNode(serverEntry('convexa'), process.argv.slice(2))
