// The toolbar above the steps: undo and redo, problems, test, versions, and the choice of picture or list.
import { Box, Button, SegmentedControl } from '@mantine/core'
import { FlaskConical, History, type LucideIcon } from 'lucide-react'
import { EditingBar } from '../../../shared/editing/editing-bar.tsx'
import { useEditor } from './editor-context.ts'
import { ProblemMenu } from './problem-menu.tsx'

const VIEWS = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'list', label: 'List' },
]

interface ToolbarProps {
  view: 'canvas' | 'list'
  onView(view: 'canvas' | 'list'): void
  onTest(): void
  /** undefined: there are no versions yet. */
  onVersions: (() => void) | undefined
}

function WordButton({ icon: Icon, name, onClick }: { icon: LucideIcon; name: string; onClick(): void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className="icon-only"
      aria-label={name}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={onClick}
    >
      {name}
    </Button>
  )
}

export function Toolbar(props: ToolbarProps) {
  const editor = useEditor()
  return (
    <EditingBar label="Editing" history={editor}>
      <Box w={1} h={20} mx={8} bg="var(--border)" visibleFrom="sm" />
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
    </EditingBar>
  )
}
