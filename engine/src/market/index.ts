import type { Kind } from '@convexa/contract'
import { convertibleBond } from './convertible-bond.ts'
import type { Market } from './market.ts'
import { stock } from './stock.ts'

export const markets: Readonly<Record<Kind, Market>> = { cb: convertibleBond, stk: stock }
