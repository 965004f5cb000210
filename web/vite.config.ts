import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noChunkCycles } from './scripts/chunk-cycles.ts'
import { moduleClasses } from './scripts/module-classes.ts'
import { pageChunks } from './scripts/page-chunks.ts'
import { preloadLists } from './scripts/preload-lists.ts'
import { startTag } from './scripts/start-tag.ts'
import { browsers } from './scripts/targets.ts'

const server = process.env['CONVEXA_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), startTag(), moduleClasses(), preloadLists(), noChunkCycles()],
  // The server puts the nonce of each answer in place of this word.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    ...{ target: [...browsers], cssTarget: [...browsers], manifest: true, chunkSizeWarningLimit: 1500, assetsInlineLimit: 0 },
    // Where a browser does not fetch modules ahead (Safari before 17) they come when they are imported.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: pageChunks(import.meta.dirname) } } },
  },
  server: { port: 5173, proxy: { '/v1': server, '/user': server, '/healthz': server, '/readyz': server, '/openapi.json': server } },
})
