import { Workbench } from '../../quant/workbench.tsx'

export function ScreenPage() {
  return <Workbench action={{ label: '运行筛选', run: () => {} }}>{null}</Workbench>
}
