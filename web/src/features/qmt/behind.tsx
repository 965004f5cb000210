import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** What is being typed was begun on something that has been changed elsewhere since. */
export const Behind = ({ onTakeOver }: { onTakeOver: () => void }) => (
  <div className="alert warn" role="status">
    <Icon name="warn" />
    <div>
      <b>已在别处修改</b>
      <p>这里是你填写的内容，保存会覆盖别处的修改。</p>
      <div className="actions">
        <Button look={['small']} onClick={onTakeOver}>
          重新载入
        </Button>
      </div>
    </div>
  </div>
)
