import { z } from 'zod'

/** The two kinds of market in files, rows and reports: 可转债 `cb`, A 股 `stk`. */
export const Kind = z.enum(['cb', 'stk'])
export type Kind = z.output<typeof Kind>
