// Writes examples/schemas: the JSON Schemas of the files that users write, from the schemas that read them.
import { writeFileSync } from 'node:fs'
import { schemaFile, schemaNames } from '../server/src/cli/file-schemas.ts'

const folder = new URL('../examples/schemas/', import.meta.url)
for (const name of schemaNames) writeFileSync(new URL(`${name}.json`, folder), schemaFile(name))
