// `node scripts/run.mjs [--web] [--browser] PROGRAM [argument …]`: makes ready what the program needs (scripts/prepare.mjs), then runs it on
// the pinned Node. Nearly every script of package.json starts here, so that each works as the first command of a fresh clone.
import { resolve } from 'node:path'
import { runOnPinnedNode } from './pinned-node.mjs'
import { prepare } from './prepare.mjs'

const given = process.argv.slice(2)
const at = given.findIndex((argument) => !argument.startsWith('--'))
const [program = '', ...args] = given.slice(at)
const needs = given.slice(0, at)

prepare({ web: needs.includes('--web'), browser: needs.includes('--browser') })
await runOnPinnedNode(resolve(program), args)
