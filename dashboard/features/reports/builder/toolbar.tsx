// Above the sentences: undo and redo, groups or rows, and the description.

import { Button, Popover, SegmentedControl, Text, Textarea } from '@mantine/core'
import { Text as TextIcon } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import { EditingBar } from '../../../shared/editing/editing-bar.tsx'
import { tooLong } from '../../../ui/too-long.ts'
import { useBuilder } from './builder-context.ts'
import { isRows } from './builder-state.ts'

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
          error={tooLong(draft.description ?? '', DESCRIPTION_MAX)}
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

const DESCRIPTION_MAX = 2000

const WAYS = [
  { value: 'groups', label: 'Summary' },
  { value: 'rows', label: 'Rows' },
]

export function Toolbar() {
  const builder = useBuilder()
  const { draft, act, fields, preview } = builder
  const { problems } = preview
  return (
    <EditingBar label="Building" history={builder}>
      <Text span c="var(--danger)" px={8} role="status">
        {problems.length > 0 ? counted(problems.length, 'problem') : ''}
      </Text>
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
    </EditingBar>
  )
}
