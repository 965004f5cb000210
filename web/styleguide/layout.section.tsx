import { Button } from '../src/ui/button.tsx'
import { Card, CardGrid } from '../src/ui/card.tsx'
import { Toolbar } from '../src/ui/controls.tsx'
import { Row, Stack } from '../src/ui/layout.tsx'
import { Table } from '../src/ui/table/table.tsx'
import { toast } from '../src/ui/toast.tsx'
import { Sample, Samples } from './sample.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'layout', title: '排布', Component: Layout }]

const said = () => toast.info('已点按')
const tags = ['低价', '低溢价', '小规模'].map((name) => (
  <span key={name} className="tag">
    {name}
  </span>
))
const columns = [
  { label: '月份', cell: ({ month }: { month: string; turnover: string }) => month },
  { label: '换手(倍)', numeric: true, cell: ({ turnover }: { month: string; turnover: string }) => turnover },
]
/** Made up. */
const rows = [
  { month: '2026-09', turnover: '1.84' },
  { month: '2026-10', turnover: '2.07' },
]

function Layout() {
  return (
    <Samples>
      <Sample name="Row：一行，间距 8">
        <Row gap={8}>{tags}</Row>
      </Sample>
      <Sample name="Row：放不下就换行">
        <Row gap={8} wrap style={{ width: 120 }}>
          {tags}
        </Row>
      </Sample>
      <Sample name="Stack：一列，间距 4">
        <Stack gap={4} align="start">
          {tags}
        </Stack>
      </Sample>
      <Sample name="Toolbar：手机上够手指按">
        <Toolbar label="报告操作">
          <Button look={['small']} icon="download" onClick={said}>
            导出
          </Button>
          <Button look={['small']} icon="share" onClick={said}>
            分享
          </Button>
        </Toolbar>
      </Sample>
      <Sample name="Table：小表">
        <Table caption="每月换手" dense columns={columns} rows={rows} rowKey={({ month }) => month} />
      </Sample>
      <Sample name="CardGrid：三七分" wide>
        <CardGrid shares="narrow-wide">
          <Card title="分箱收益" foot="按月平均。">
            <p className="note">第 1 箱最高。</p>
          </Card>
          <Card title="分箱净值">
            <p className="note">十箱的净值从 1 开始。</p>
          </Card>
        </CardGrid>
      </Sample>
    </Samples>
  )
}
