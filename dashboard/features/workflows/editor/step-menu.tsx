// The menu of a step: actions with their keyboard shortcuts.
import { Menu } from '@mantine/core'
import {
  ArrowDown,
  ArrowUp,
  Copy,
  FlaskConical,
  type LucideIcon,
  Plus,
  Repeat,
  Split,
  Trash2,
} from 'lucide-react'
import { keysText } from '../../../shared/shortcuts/shortcuts.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { stepWords } from '../canvas/step-words.ts'
import { useEditor } from './editor-context.ts'
import { duplicateStep, removeStep, shiftStep, wrapStep } from './edits.ts'
import { focusAfterEdit } from './focus.ts'
import { type StepPath, stepAt, stepLocationOf } from './step-tree.ts'

interface ItemProps {
  icon: LucideIcon
  name: string
  keys?: readonly string[]
  isDangerous?: boolean
  onClick(): void
}

function Item({ icon: Icon, name, keys, isDangerous = false, onClick }: ItemProps) {
  return (
    <Menu.Item
      leftSection={<Icon size={14} aria-hidden />}
      rightSection={keys && <kbd>{keysText({ keys })}</kbd>}
      {...(isDangerous && { color: 'var(--danger)' })}
      onClick={onClick}
    >
      {name}
    </Menu.Item>
  )
}

/** The edits of a step. The selection after the edit gets the focus. */
function useStepEdits(path: StepPath) {
  const editor = useEditor()
  const edit = (change: typeof removeStep) => () => {
    const { selected } = change(editor.definition, path)
    editor.edit((definition) => change(definition, path))
    focusAfterEdit(selected ?? 'trigger')
  }
  return {
    up: edit((definition, at) => shiftStep(definition, at, 'up')),
    down: edit((definition, at) => shiftStep(definition, at, 'down')),
    duplicate: edit(duplicateStep),
    loop: edit((definition, at) => wrapStep(definition, at, 'for_each')),
    branch: edit((definition, at) => wrapStep(definition, at, 'branch')),
    remove: edit(removeStep),
  }
}

function Items({ path }: { path: StepPath }) {
  const { add, testing, definition, openPanel, select } = useEditor()
  const edits = useStepEdits(path)
  const test = () => {
    select(path)
    openPanel()
    void testing.run(stepAt(definition, path)?.key)
  }
  return (
    <>
      <Item icon={Plus} name="Add a step before" onClick={() => add(stepLocationOf(path))} />
      <Item icon={FlaskConical} name="Test up to here" keys={['T']} onClick={test} />
      <Menu.Divider />
      <Item icon={Copy} name="Duplicate" keys={['mod', 'D']} onClick={edits.duplicate} />
      <Item icon={ArrowUp} name="Move up" keys={['Alt', '↑']} onClick={edits.up} />
      <Item icon={ArrowDown} name="Move down" keys={['Alt', '↓']} onClick={edits.down} />
      <Item icon={Split} name="Put into a branch" onClick={edits.branch} />
      <Item icon={Repeat} name="Put into a loop" onClick={edits.loop} />
      <Menu.Divider />
      <Item icon={Trash2} name="Delete" keys={['Del']} isDangerous onClick={edits.remove} />
    </>
  )
}

export function StepMenu({ path }: { path: StepPath }) {
  const { definition } = useEditor()
  const step = stepAt(definition, path)
  if (!step) return null
  return (
    <MoreMenu
      label={`Actions of ${stepWords(step, () => undefined).title}`}
      button={{ size: 26 }}
      width={230}
      returnFocus
    >
      <Items path={path} />
    </MoreMenu>
  )
}
