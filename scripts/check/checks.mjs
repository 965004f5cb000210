// All checks by name. Each takes the tree and returns its numbers: `{ name, value, offenders: { file, line?, text }[] }[]`.
import { css } from './css.mjs'
import { docs } from './docs.mjs'
import { enumChecks } from './enums.mjs'
import { unusedExports } from './exports.mjs'
import { floorChecks } from './floors.mjs'
import { folders } from './folders.mjs'
import { literals } from './literals.mjs'
import { markets } from './markets.mjs'
import { size } from './size.mjs'
import { words } from './words.mjs'

export const checks = { literals, enums: enumChecks, markets, words, floors: floorChecks, folders, css, docs, exports: unusedExports, size }
