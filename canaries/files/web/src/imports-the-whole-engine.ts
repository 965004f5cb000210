// biome lint/style/noRestrictedImports: backtests belong to the server
import { backtest } from '@convexa/engine'

export const run = backtest
