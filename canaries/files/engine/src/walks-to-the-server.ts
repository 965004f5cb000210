// biome lint/style/noRestrictedImports: nothing of the server, by a path
import type { Config } from '../../server/src/config/config.ts'

export const port = (config: Config) => config.port
