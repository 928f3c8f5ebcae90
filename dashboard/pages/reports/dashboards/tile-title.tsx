// What a tile is called in place of its report's name.
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TILE_TITLE_MAX } from '../../../../contract/report-layout.ts'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'

interface TileTitleProps {
  title: string | undefined
  reportName: string
  /** Empty: as the report. */
  onSave(title: string): void
  onClose(): void
}

/** Render it while it is open. */
export function TileTitle({ title, reportName, onSave, onClose }: TileTitleProps) {
  useReturnFocus()
  const [text, setText] = useState(title ?? '')
  return (
    <Modal opened onClose={onClose} title="Change title">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSave(text.trim())
          onClose()
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Title"
            description={`Empty: it is called ${reportName}`}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            maxLength={TILE_TITLE_MAX}
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
    </Modal>
  )
}
