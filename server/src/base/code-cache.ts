import { join } from 'node:path'

/**
 * Environment for a child process: Node keeps the stripped and compiled code of our TypeScript under DATA_DIR, which makes the next start
 * of the same code three times faster. It may be deleted at any time.
 */
export const codeCache = (dataDir: string): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(dataDir, 'cache', 'code'),
})
