// biome lint/style/noRestrictedImports: words know nothing of the engine
import { markets } from '@convexa/engine'

export const names = Object.keys(markets)
