import { Button, Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { toastProgress } from '../ui/progress-toast.tsx'
import { Section } from '../ui/sections.tsx'
import { SidePanel } from '../ui/side-panel.tsx'
import { toastUndo } from '../ui/undo-toast.tsx'

type Layer = 'panel' | 'dialog'

function Opened({ layer, close }: { layer: Layer | undefined; close(): void }) {
  if (layer === 'panel')
    return (
      <SidePanel title="A panel" onClose={close}>
        <TextInput label="Typed text is asked about before it is lost" />
      </SidePanel>
    )
  return layer === 'dialog' ? (
    <Dialog title="A question" onClose={close}>
      <Button onClick={close}>Understood</Button>
    </Dialog>
  ) : null
}

const refused = () => notifications.show({ message: 'It could not be saved', color: 'red', role: 'alert' })

function showProgress(): void {
  const progress = toastProgress('Deleted', 200, () => progress.end())
  progress.done(80)
}

export function Layers() {
  const [layer, setLayer] = useState<Layer>()
  return (
    <Section title="Layers and toasts">
      <Group gap={8}>
        <Button variant="default" onClick={() => setLayer('panel')}>
          Open a panel
        </Button>
        <Button variant="default" onClick={() => setLayer('dialog')}>
          Open a dialog
        </Button>
        <Button variant="default" onClick={() => toastUndo('Acme was deleted', () => undefined)}>
          Show Undo
        </Button>
        <Button variant="default" onClick={showProgress}>
          Show progress
        </Button>
        <Button variant="default" onClick={refused}>
          Show an error
        </Button>
      </Group>
      <Opened layer={layer} close={() => setLayer(undefined)} />
    </Section>
  )
}
