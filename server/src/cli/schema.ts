import { type SchemaName, schemaFile } from './file-schemas.ts'
import { answerWith } from './output.ts'

/** `convexa schema NAME`. */
export function schema(name: SchemaName): void {
  const text = () => schemaFile(name).trimEnd()
  answerWith(text, text)
}
