// reported: the engine takes values of the enum tables alone
import { namesVersion } from '@convexa/contract/names-version'

export const version = namesVersion
