// biome lint/style/noRestrictedImports: packages by their names, not by a path
import { engineVersion } from '../../engine/src/version.ts'

export const version = engineVersion
