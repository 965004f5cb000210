// allowed: types of the contract are words
import type { Kind } from '@convexa/contract'

export const isBond = (kind: Kind) => kind === 'cb'
