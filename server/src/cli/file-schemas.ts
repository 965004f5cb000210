import { MarketId, Parameters, Settings, StrategyBody } from '@convexa/contract'
import { z } from 'zod'
import { Mapping } from '../market/import/mapping.ts'
import { GroupOfFile } from './request-file.ts'

/** Schemas of the files that users write, as `examples/schemas` has them. */
const files = {
  request: {
    title: '回测与筛选的请求',
    schema: z.object({
      kind: MarketId.optional(),
      parameters: Parameters.optional(),
      group: GroupOfFile.optional(),
      settings: Settings.optional(),
    }),
  },
  mapping: { title: '行情文件的列对应关系', schema: Mapping },
  strategy: { title: '策略', schema: StrategyBody },
} as const

export type SchemaName = keyof typeof files
export const schemaNames = Object.keys(files) as SchemaName[]

/** The text of its file. */
export const schemaFile = (name: SchemaName): string => `${JSON.stringify(schemaOf(name), null, 2)}\n`

/** JSON Schema (2020-12) of what may stand in such a file. A rule that the notation cannot say is left out. */
const schemaOf = (name: SchemaName): object => ({
  title: files[name].title,
  ...z.toJSONSchema(files[name].schema, { io: 'input', unrepresentable: 'any' }),
})
