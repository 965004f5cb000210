// biome lint/style/noRestrictedImports: nothing of the server, by its name
import type { Config } from '@convexa/server/config'

export const port = (config: Config) => config.port
