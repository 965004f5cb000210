// The command line: `./convexa` (on Windows `node convexa.mjs`). Installs what is missing, then runs it on the pinned Node. Plain JavaScript
// for Node 20.
import { fileURLToPath } from 'node:url'
import { runOnPinnedNode } from './scripts/pinned-node.mjs'
import { prepare } from './scripts/prepare.mjs'

prepare({ dev: false })
await runOnPinnedNode(fileURLToPath(new URL('server/src/cli/main.ts', import.meta.url)), process.argv.slice(2))
