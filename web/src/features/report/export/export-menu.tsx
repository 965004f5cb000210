import { markets } from '@convexa/contract/enums/market'
import type { LedgerPart, Report, ReportCore } from '@convexa/contract/report'
import { Suspense, useState } from 'react'
import { sentenceOf } from '../../../api/messages.ts'
import { Icon } from '../../../ui/icon.tsx'
import { keepsFiles } from '../../../ui/keeps-files.ts'
import { lazyDialog } from '../../../ui/lazy-dialog.ts'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuChoice } from '../../../ui/menu-choice.ts'
import { copyText, saveText } from '../../../ui/table/sheet.ts'
import { toast } from '../../../ui/toast.tsx'
import { reportBenchName } from '../../rule/bench-name.ts'
import { fileNameOf } from '../files.ts'
import { navCsv } from '../nav-card.tsx'
import { fillParts, gainParts, withLedger } from '../report-queries.ts'
import { tradesCsv } from '../trades-csv.ts'

// Opened by few and rarely: its code comes when it is asked for.
const LongPictureDialog = lazyDialog(async () => (await import('./long-picture-dialog.tsx')).LongPictureDialog)

const everyPart = [...fillParts, ...gainParts]

/** The report in every form it can leave the page in. */
export function ExportMenu({ report }: { report: ReportCore }) {
  const benchName = reportBenchName(report)
  const [picture, setPicture] = useState(false)
  const { unit } = markets[report.kind]
  const file = (part: string) => fileNameOf(report, part)
  /** Saves what needs more of the report than its core. */
  const saveWith = async <P extends LedgerPart>(
    parts: readonly P[],
    save: (whole: ReportCore & Pick<Report, P>) => void | Promise<void>,
  ) => {
    let whole: ReportCore & Pick<Report, P>
    try {
      whole = await withLedger(report, parts)
    } catch (error) {
      return toast.error(`导出失败：${sentenceOf(error)}`)
    }
    await save(whole)
  }
  const workbook = async (whole: ReportCore & Pick<Report, 'trades'>) => {
    try {
      const { saveWorkbook } = await import('./save-workbook.ts')
      await saveWorkbook(file(''), whole, benchName, unit)
    } catch {
      toast.error('导出失败，请改用 CSV')
    }
  }
  const link = async () => {
    if (await copyText(window.location.href)) toast.done('已复制链接，在电脑上打开后可以导出')
    else toast.error('浏览器不允许复制')
  }
  const print = async () => {
    // A part that does not come says so on the paper itself.
    await Promise.allSettled([withLedger(report, everyPart)])
    // As the browser will say: what is far below is drawn, a dark page is a light one. Charts need a frame to stand.
    window.dispatchEvent(new Event('beforeprint'))
    setTimeout(() => window.print(), 600)
  }
  const choices: MenuChoice[] = !keepsFiles()
    ? [
        { label: '生成长图', run: () => setPicture(true) },
        { label: '复制链接，在电脑打开', run: link },
      ]
    : [
        { label: 'XLSX，全部表格', run: () => void saveWith(fillParts, workbook) },
        { label: 'CSV，每日净值', run: () => saveText(`${file('净值')}.csv`, navCsv(report, benchName), 'text/csv') },
        {
          label: 'CSV，交易',
          run: () => void saveWith(fillParts, (whole) => saveText(`${file('交易')}.csv`, tradesCsv(whole, whole.trades), 'text/csv')),
        },
        {
          label: 'JSON，完整报告',
          run: () => void saveWith(everyPart, (whole) => saveText(`${file('')}.json`, JSON.stringify(whole, null, 2), 'application/json')),
        },
        { label: '生成长图', run: () => setPicture(true) },
        { label: '打印，或存为 PDF', run: () => void print() },
      ]
  return (
    <>
      <Menu
        align="right"
        className="button small"
        button={
          <>
            <Icon name="download" size="middle" />
            导出
            <Icon name="down" size="small" />
          </>
        }
        choices={choices}
      />
      {picture && (
        <Suspense>
          <LongPictureDialog report={report} benchName={benchName} onClose={() => setPicture(false)} />
        </Suspense>
      )}
    </>
  )
}
