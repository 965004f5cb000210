import type { Report } from '@convexa/contract/backtest'
import { useMemo } from 'react'
import { Button } from '../../ui/button.tsx'
import { ReportHeading } from './report-heading.tsx'
import { ReportView } from './report-view.tsx'

/** A report as its owner reads it. */
export function OwnReport({ stored, name, onAgain }: { stored: Report; name: string; onAgain: () => void }) {
  // The name that is on the page is also that of saved files.
  const report = useMemo(() => ({ ...stored, name }), [stored, name])
  return (
    <ReportView
      report={report}
      heading={
        <ReportHeading
          report={report}
          note={report.note && <p className="note">备注：{report.note}</p>}
          tools={
            <Button look={['small']} icon="pencil" onClick={onAgain}>
              改条件再跑
            </Button>
          }
        />
      }
    />
  )
}
