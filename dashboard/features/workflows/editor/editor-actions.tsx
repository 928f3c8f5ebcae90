// Buttons to save the workflow and to switch it on, at the right of the bar.
import { Switch } from '@mantine/core'
import { SaveButton, SaveState } from '../../../shared/editing/editing-bar.tsx'
import { useSwitchOff } from '../list/use-switch-off.tsx'
import { useEditor } from './editor-context.ts'

/** With known problems, shows them instead of sending the request, which the service would refuse. */
function EnableSwitch() {
  const { saving, problems, showProblems } = useEditor()
  const { workflow, isEnabled, isBusy, setEnabled } = saving
  const { switchOff, dialog } = useSwitchOff(workflow, (openRuns) => setEnabled(false, openRuns))
  const flip = () => {
    if (isBusy) return
    if (isEnabled) void switchOff()
    else if (problems.length > 0) showProblems(true)
    else void setEnabled(true)
  }
  return (
    <>
      <Switch
        checked={isEnabled}
        label={isEnabled ? 'On' : 'Off'}
        aria-disabled={isBusy || undefined}
        styles={{ label: { minWidth: 28 } }}
        onChange={flip}
      />
      {dialog}
    </>
  )
}

export function EditorActions() {
  const { saving, isChanged, isNew } = useEditor()
  const hasChanges = isChanged || isNew
  return (
    <>
      <SaveState isChanged={isChanged} />
      <EnableSwitch />
      <SaveButton isBusy={saving.isBusy} isOff={!hasChanges} onSave={() => void saving.save()} />
    </>
  )
}
