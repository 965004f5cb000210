import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { unpackChromium } from './browser.ts'
import { type Product, startProduct } from './product.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    url: string
    dataDir: string
  }
}

let product: Product

/** Starts the product once for all journeys, on a fresh data directory. */
export async function setup(project: TestProject): Promise<void> {
  rmSync(new URL('../artefacts', import.meta.url), { recursive: true, force: true })
  await unpackChromium()
  // Journeys say where they come from: limits for one address are not spent by all of them together.
  product = await startProduct(150, { env: { TRUST_PROXY: '127.0.0.1' } })
  project.provide('url', product.url)
  project.provide('dataDir', product.dataDir)
}

export async function teardown(): Promise<void> {
  await product?.stop()
}
