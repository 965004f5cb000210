// allowed: labels of stored Chinese sentences come from the enum tables
import { fills } from '@convexa/contract/enums/fill'
import { labelOf } from '@convexa/contract/enums/table'

export const label = labelOf(fills, 'close')
