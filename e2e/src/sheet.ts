import { existsSync, readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/** A line of a contact sheet: files of the folder without their ending, with the width that each has there. */
export interface SheetRow {
  title: string
  pictures: readonly { file: string; width: number }[]
}

/** All pictures of a folder on one, `sheet.png`, each cut to the same height; what was not taken leaves its place empty. */
export async function drawSheet(browser: Browser, folder: string, rows: readonly SheetRow[]): Promise<void> {
  const widest = Math.max(...rows.map(({ pictures }) => pictures.reduce((sum, { width }) => sum + width + 12, 32)))
  const page = await browser.newPage({ viewport: { width: widest, height: 1000 } })
  const picture = ({ file, width }: SheetRow['pictures'][number]) => {
    const path = `${folder}${file}.png`
    const data = existsSync(path) ? `<img src="data:image/png;base64,${readFileSync(path).toString('base64')}">` : ''
    return `<figure style="width:${width}px">${data}</figure>`
  }
  await page.setContent(
    `<style>body{font:14px sans-serif;margin:16px}div{display:flex;gap:12px}figure{margin:0;height:430px;overflow:hidden;border:1px solid #999}img{width:100%;display:block}h2{font-size:14px;margin:12px 0 4px}</style>${rows
      .map(({ title, pictures }) => `<h2>${title}</h2><div>${pictures.map(picture).join('')}</div>`)
      .join('')}`,
  )
  await page.screenshot({ path: `${folder}sheet.png`, fullPage: true })
  await page.close()
}
