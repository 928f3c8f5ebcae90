// Above the steps: taking back and redoing, what is wrong, trying it, its versions, and how it is shown.
import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { FlaskConical, History, type LucideIcon, Redo2, Undo2 } from 'lucide-react'
import { keysText } from '../../../../shared/shortcuts/shortcuts.ts'
import classes from './editor.module.css'
import { useEditor } from './editor-context.ts'
import { ProblemMenu } from './problem-menu.tsx'

interface ToolProps {
  icon: LucideIcon
  name: string
  keys: readonly string[]
  isOff: boolean
  onClick(): void
}

function Tool({ icon: Icon, name, keys, isOff, onClick }: ToolProps) {
  return (
    <Tooltip label={`${name} (${keysText({ keys })})`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={name}
        className={classes.tool}
        // Keeps its focus: who undoes by keyboard goes on with the next.
        data-disabled={isOff || undefined}
        aria-disabled={isOff || undefined}
        onClick={() => !isOff && onClick()}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

const VIEWS = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'list', label: 'List' },
]

interface ToolbarProps {
  view: 'canvas' | 'list'
  onView(view: 'canvas' | 'list'): void
  onTest(): void
  /** undefined: there are none yet. */
  onVersions: (() => void) | undefined
}

function WordButton({ icon: Icon, name, onClick }: { icon: LucideIcon; name: string; onClick(): void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className={classes.word}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={onClick}
    >
      {name}
    </Button>
  )
}

export function Toolbar(props: ToolbarProps) {
  const { undo, redo, canUndo, canRedo } = useEditor()
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Editing">
      <Tool icon={Undo2} name="Undo" keys={['mod', 'Z']} isOff={!canUndo} onClick={undo} />
      <Tool icon={Redo2} name="Redo" keys={['mod', 'Shift', 'Z']} isOff={!canRedo} onClick={redo} />
      <span className={classes.rule} />
      <ProblemMenu />
      <span className="grow" />
      <WordButton icon={FlaskConical} name="Test" onClick={props.onTest} />
      {props.onVersions && <WordButton icon={History} name="Versions" onClick={props.onVersions} />}
      <SegmentedControl
        size="xs"
        aria-label="Show as"
        data={VIEWS}
        value={props.view}
        onChange={(value) => props.onView(value === 'list' ? 'list' : 'canvas')}
      />
    </div>
  )
}
