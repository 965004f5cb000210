// biome lint/style/noRestrictedImports: nothing of the web app
import { App } from '@convexa/web/app'

export const app = App
