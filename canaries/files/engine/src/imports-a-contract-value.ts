// biome lint/correctness/noUndeclaredDependencies: types of the contract, no values
import { kinds } from '@convexa/contract'

export const count = kinds.length
