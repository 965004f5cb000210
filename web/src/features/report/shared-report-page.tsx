import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { markets } from '@convexa/contract/enums/market'
import { sentences } from '@convexa/contract/rules/sentences'
import type { SharedReport } from '@convexa/contract/share'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { useSite } from '../../api/site.ts'
import { dateTime } from '../../base/dates.ts'
import { useKeyboard } from '../../keys/use-keys.ts'
import { useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon, Logo } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Empty, ErrorBlock } from '../../ui/states.tsx'
import { watchLater } from '../../ui/watch-later.ts'
import { Footer } from '../legal/footer.tsx'
import { ExportMenu } from './export/export-menu.tsx'
import { ReportHeading } from './report-heading.tsx'
import { reportName } from './report-name.ts'
import { ReportSkeleton } from './report-skeleton.tsx'
import { ReportView } from './report-view.tsx'
import styles from './share/share.module.css'
import { asReport, sharedReportQuery } from './share/share-queries.ts'
import { changedSince, sharedTitle } from './share/share-text.ts'

/** The server's word for a link that does not lead anywhere, or not any more; its sentence says which. */
const ended = 40004
/** …and for an address that is no link at all. */
const wrong = 40000

/** A report that somebody shared: to be read without a login, nothing to be changed. */
export function SharedReportPage() {
  useKeyboard()
  useEffect(watchLater, [])
  const token = useParams()['share_token'] ?? ''
  const { data, error, refetch } = useQuery(sharedReportQuery(token))
  return (
    <div className={styles.sharedPage}>
      <Bar />
      {error instanceof CallError && (error.code === ended || error.code === wrong) ? (
        <Ended sentence={error.code === wrong ? sentences.linkEnded : sentenceOf(error)} />
      ) : error ? (
        <main id="main" className="report">
          <PageTitle>分享的回测报告</PageTitle>
          <h1 className="hidden-text">分享的回测报告</h1>
          <ErrorBlock error={error} still="链接没有问题时，稍后再打开即可。" onRetry={() => void refetch()} />
        </main>
      ) : data ? (
        <Shared shared={data} />
      ) : (
        <ReportSkeleton />
      )}
      <Footer />
    </div>
  )
}

function Bar() {
  const site = useSite()
  return (
    <Row as="header" gap={12} className={styles.sharedBar}>
      <Link to="/">
        <Logo size={24} />
        {site.name}
      </Link>
      <span className="text-3 size-12">只读</span>
    </Row>
  )
}

function Shared({ shared: given }: { shared: SharedReport }) {
  const shared = useMemo(() => ({ ...given, name: reportName(given) }), [given])
  const report = useMemo(() => asReport(shared), [shared])
  const navigate = useNavigate()
  const changed = changedSince(shared)
  const { parameters, settings, kind, name } = shared
  const again = () => {
    if (!parameters) return
    useStrategies.getState().set(kind, { name, edited: false, parameters, settings, range: null })
    void navigate(`${markets[kind].path}/backtest`)
  }
  return (
    <>
      <PageTitle>{[sharedTitle(shared)]}</PageTitle>
      <ReportView
        report={report}
        shared
        heading={(shown) => (
          <>
            {isSynthetic(report.data_mode) && (
              <Row as="p" gap={8} className={styles.sharedDemo} role="note">
                <Icon name="warn" size="middle" />
                这是演示数据的报告：由程序模拟生成，非真实行情，不能用于交易。
              </Row>
            )}
            <Row as="section" wrap className={styles.sharedStrip} aria-label="关于这份分享">
              <b>由用户分享的历史回测</b>
              <span>数据版本 {shared.data_version}</span>
              <span>引擎版本 {shared.engine_version}</span>
              <span>生成时间 {dateTime(shared.created_at)}</span>
              <span className="mono" title={shared.params_hash}>
                参数哈希 {shared.params_hash.slice(0, 8)}
              </span>
              <span>有效至 {dateTime(shared.shared.expire_at)}</span>
              {changed && (
                <span className="warn">
                  <Icon name="warn" size="middle" />
                  {changed}
                </span>
              )}
              <span className="grow" />
              {parameters && (
                <Button look={['small']} onClick={again}>
                  用我的数据重算
                </Button>
              )}
            </Row>
            <ReportHeading report={shown} tools={<ExportMenu report={shown} />} />
          </>
        )}
      />
    </>
  )
}

/** The link has ended: what became of it, and a way on. */
function Ended({ sentence }: { sentence: string }) {
  const known = sentence.includes('撤回') ? sentences.shareRevoked : sentences.linkEnded
  return (
    <main id="main" className="report">
      <PageTitle>{[known, '分享的回测报告']}</PageTitle>
      <h1 className="hidden-text">分享的回测报告</h1>
      <Card plain>
        <Empty
          icon="lock"
          title={known}
          actions={
            <Link className="button primary" to="/">
              去首页
            </Link>
          }
        >
          {known === sentences.shareRevoked ? '这份报告的主人收回了链接。' : '链接过期了，或者地址不完整；可以向分享的人要一个新的。'}
        </Empty>
      </Card>
    </main>
  )
}
