import { type Publication, publish } from '../src/market/snapshot.ts'
import type { MarketTable } from '../src/market/store.ts'
import { noFindings } from './no-findings.ts'

/** Publishes a table as an import would in which the checks found nothing. */
export const publishTable = (
  deps: Pick<Publication, 'db' | 'dataDir'>,
  table: MarketTable,
  over: Partial<Pick<Publication, 'adjust' | 'quality'>> = {},
) => publish({ ...deps, table, mode: 'imported', adjust: 'raw', source: { preset: 'test', files: [] }, quality: noFindings, ...over })
