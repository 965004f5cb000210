import { useEffect } from 'react'
import { Card } from '../../ui/card.tsx'
import { fetchChart } from '../../ui/chart/use-chart.ts'
import { Row } from '../../ui/layout.tsx'
import { CardSkeleton } from '../../ui/skeleton.tsx'
// Before the sheet of phones, which takes precedence over them.
import './assumptions.module.css'
import './conclusion.css'
import './periods.module.css'
import './report.css'
import './report-phone.css'

/** The report's shape while it is on its way: the same cards in the same places. */
export function ReportSkeleton() {
  useEffect(fetchChart, [])
  return (
    <main id="main" className="report" aria-busy="true" aria-label="正在读取回测报告">
      <Row gap={8} className="report-heading">
        <div>
          <span className="skeleton" style={{ width: 200, height: 20 }} />
          <Row as="p" align="stretch" wrap className="report-terms">
            <span className="skeleton" style={{ width: 520, marginLeft: 24 }} />
          </Row>
        </div>
      </Row>
      <Card plain className="conclusion">
        <div className="conclusion-numbers">
          {['a', 'b', 'c', 'd', 'e'].map((key) => (
            <div key={key} className="conclusion-number">
              <span className="skeleton" style={{ width: 56 }} />
              <b>
                <span className="skeleton" style={{ width: 112, height: 24 }} />
              </b>
              <span className="skeleton" style={{ width: 136 }} />
            </div>
          ))}
        </div>
        <p className="conclusion-sentence">
          <span className="skeleton" style={{ width: 480 }} />
        </p>
      </Card>
      <div className="report-pair">
        <CardSkeleton chart={436} />
        <CardSkeleton rows={9} />
      </div>
    </main>
  )
}
