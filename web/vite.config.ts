import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** README names them to users; web/scripts/browsers.mjs checks the built files against them. */
export const browsers = ['chrome109', 'edge109', 'firefox128', 'safari16.4', 'ios16.4']

const server = process.env['CONVEXA_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  // The server puts the nonce of each answer in place of this word.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    ...{ target: browsers, cssTarget: browsers, manifest: true, chunkSizeWarningLimit: 1500, assetsInlineLimit: 0 },
    // Where a browser does not fetch modules ahead (Safari before 17) they come when they are imported.
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, proxy: { '/v1': server, '/user': server, '/healthz': server, '/readyz': server, '/openapi.json': server } },
})
