import { Button } from '../ui/button.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'buttons', title: '按钮', Component: Buttons }]

function Buttons() {
  return (
    <div className="line">
      <Button look={['primary']}>运行</Button>
      <Button look={['outline']}>保存</Button>
      <Button>取消</Button>
      <Button look={['ghost']}>更多</Button>
      <Button look={['destructive']}>删除</Button>
      <Button disabled>运行</Button>
    </div>
  )
}
