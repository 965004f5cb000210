import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'

const folder = new URL('../artefacts/', import.meta.url)
const isAsked = process.env['JOURNEY_PICTURES'] === '1'

/**
 * Takes a picture of what a journey shows into `e2e/artefacts`, where `JOURNEY_PICTURES=1` asks for them. A run that nobody looks at takes none:
 * painting two hundred pictures is much of the journeys' computing.
 */
export async function pictureOf(shown: Page | Locator, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (!isAsked) return
  mkdirSync(folder, { recursive: true })
  await shown.screenshot({ path: new URL(`${name}.png`, folder).pathname, ...options })
}
