import { randomBytes } from 'node:crypto'
import { shanghaiDate } from '../base/time.ts'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const random = (length: number): string => [...randomBytes(length)].map((byte) => letters[byte % 32]).join('')
const day = (now: Date): string => shanghaiDate(now).slice(2).replaceAll('-', '')

/** Our number of an attempt at WeChat: `V`, the day, 14 random letters, which try of its order. 23 characters. */
export const newOtn = (seq: number, now = new Date()): string => `V${day(now)}${random(14)}${String(seq % 100).padStart(2, '0')}`

export const newRefundNo = (now = new Date()): string => `R${day(now)}${random(18)}`
