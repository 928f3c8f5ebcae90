// Above the sentences: taking back and redoing, groups or rows, what it is about.
import { ActionIcon, Button, Popover, SegmentedControl, Textarea, Tooltip } from '@mantine/core'
import { type LucideIcon, Redo2, Text as TextIcon, Undo2 } from 'lucide-react'
import { keysText } from '../../../../shared/shortcuts/shortcuts.ts'
import { counted } from '../../../../ui/counted.ts'
import classes from './builder.module.css'
import { useBuilder } from './builder-context.ts'
import { isRows } from './builder-state.ts'

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

function Description() {
  const { draft, act } = useBuilder()
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<TextIcon size={14} aria-hidden />}
        >
          Description
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Description">
        <Textarea
          label="Description"
          description="What it shows, and for whom"
          value={draft.description ?? ''}
          maxLength={2000}
          minRows={3}
          data-autofocus
          onChange={({ currentTarget }) =>
            act({ does: 'description', text: currentTarget.value }, 'description')
          }
        />
      </Popover.Dropdown>
    </Popover>
  )
}

const WAYS = [
  { value: 'groups', label: 'Summary' },
  { value: 'rows', label: 'Rows' },
]

export function Toolbar() {
  const { draft, act, fields, preview, undo, redo, canUndo, canRedo } = useBuilder()
  const { problems } = preview
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Building">
      <Tool icon={Undo2} name="Undo" keys={['mod', 'Z']} isOff={!canUndo} onClick={undo} />
      <Tool icon={Redo2} name="Redo" keys={['mod', 'Shift', 'Z']} isOff={!canRedo} onClick={redo} />
      <span className={classes.problemCount} role="status">
        {problems.length > 0 ? counted(problems.length, 'problem') : ''}
      </span>
      <span className="grow" />
      <Description />
      {draft.source.objectId !== '' && (
        <SegmentedControl
          aria-label="Show as"
          data={WAYS}
          value={isRows(draft) ? 'rows' : 'groups'}
          onChange={(what) => act({ does: 'show', what: what === 'rows' ? 'rows' : 'groups', fields })}
        />
      )}
    </div>
  )
}
