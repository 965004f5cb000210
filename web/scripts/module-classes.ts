import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * In a build a class of a CSS module costs what a short string costs: its name is a hash, and it stands where it is used instead of in an
 * object of all names of the module. A class that its module does not have ends the build.
 */
export function moduleClasses(): Plugin {
  const owners = new Map<string, string>()
  /** The same in every build of the same source. */
  const shortName = (name: string, file: string) => {
    const owner = `${relative(import.meta.dirname, file.split('?')[0] ?? file)} ${name}`
    const hash = createHash('sha256').update(owner).digest().readUInt32BE()
    const short = `_${(hash % 36 ** 5).toString(36)}`
    const other = owners.get(short)
    if (other !== undefined && other !== owner) throw new Error(`${other} and ${owner} have the same hash: rename one of the classes`)
    owners.set(short, owner)
    return short
  }
  return {
    name: 'module-classes',
    apply: 'build',
    enforce: 'post',
    config: () => ({
      css: { modules: { generateScopedName: shortName } },
      build: { rolldownOptions: { optimization: { inlineConst: { mode: 'all', pass: 1 } } } },
    }),
    transform(code, id) {
      // Without the object each name is a constant of its own. No side effect would mean that a sheet goes with the last of its constants.
      if (id.endsWith('.module.css')) {
        return { code: code.replace(/export default \{.*\};/, ''), map: null, moduleSideEffects: 'no-treeshake' }
      }
      if (!/\.tsx?$/.test(id)) return null
      return { code: code.replace(/\bimport (\w+) from (?=(['"])[^'"]+\.module\.css\2)/g, 'import * as $1 from '), map: null }
    },
    onLog(_, log) {
      if (log.code === 'IMPORT_IS_UNDEFINED') this.error(log)
    },
  }
}
