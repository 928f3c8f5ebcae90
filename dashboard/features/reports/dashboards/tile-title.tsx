// Sets a title that a tile shows instead of its report's name.
import { TextInput } from '@mantine/core'
import { TILE_TITLE_MAX } from '../../../../contract/report-layout.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
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
export function TileTitle({ title = '', reportName, onSave, onClose }: TileTitleProps) {
  const form = useDataForm({
    initial: { title },
    async save(sent) {
      onSave(sent.title.trim())
      onClose()
    },
    onClose,
  })
  const problem = tooLong(form.values.title.trim(), TILE_TITLE_MAX)
  return (
    <Dialog onClose={onClose} title="Change title">
      <Form form={form}>
        <TextInput
          label="Title"
          description={`Empty: the name of the report, ${reportName}`}
          {...form.field('title')}
          error={problem}
          data-autofocus
          autoComplete="off"
        />
        <FormEnd form={form} verb="Save title" isReady={problem === undefined} />
      </Form>
    </Dialog>
  )
}
