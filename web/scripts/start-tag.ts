import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const fileOf = (name: string) => fileURLToPath(new URL(`../src/browser/${name}`, import.meta.url))
const polyfills = fileOf('polyfills.ts')
const entryTag = /\s*<script type="module" crossorigin src="([^"]+)"[^>]*><\/script>/
const place = ' id="start"></script>'

/**
 * Puts start.js into index.html. In a build it is handed the addresses of the first module and of the polyfills, and the module's own tag goes:
 * the script decides whether this browser can run it. In development the tag stays and nothing is filled.
 */
export function startTag(): Plugin {
  let building = false
  return {
    name: 'start-tag',
    configResolved({ command }) {
      building = command === 'build'
    },
    buildStart() {
      if (building) this.emitFile({ type: 'chunk', id: polyfills, name: 'polyfills' })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        if (!html.includes(place)) throw new Error('index.html has no place for start.js')
        const inlined = (data: string) =>
          html.replace(place, () => ` id="start"${data}>\n${readFileSync(fileOf('start.js'), 'utf8')}</script>`)
        if (!building) return inlined('')
        const entry = entryTag.exec(html)?.[1]
        const polyfill = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === polyfills)?.fileName
        if (!entry || !polyfill) throw new Error('no first module or no polyfills to hand to start.js')
        return inlined(` data-entry="${entry}" data-polyfills="/${polyfill}"`).replace(entryTag, '')
      },
    },
  }
}
