// Sets a title that a tile shows instead of its report's name.
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TILE_TITLE_MAX } from '../../../../contract/report-layout.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { tooLong } from '../../../ui/too-long.ts'

interface TileTitleProps {
  title: string | undefined
  reportName: string
  /** @param title empty: the name of the report */
  onSave(title: string): void
  onClose(): void
}

/** Mount only while the dialog is open. */
export function TileTitle({ title, reportName, onSave, onClose }: TileTitleProps) {
  const [text, setText] = useState(title ?? '')
  const problem = tooLong(text.trim(), TILE_TITLE_MAX)
  return (
    <Dialog onClose={onClose} title="Change title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (problem !== undefined) return
          onSave(text.trim())
          onClose()
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Title"
            description={`Empty: the name of the report, ${reportName}`}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={problem}
            data-autofocus
            autoComplete="off"
          />
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Save title</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
