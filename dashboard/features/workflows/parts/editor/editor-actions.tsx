// Saving the workflow and switching it on, at the right of the bar.
import { Button, Switch, Tooltip } from '@mantine/core'
import { keysText } from '../../../../shared/shortcuts/shortcuts.ts'
import classes from './editor.module.css'
import { useEditor } from './editor-context.ts'

/** What is wrong is shown rather than asked for: the service would refuse it for the same reasons. */
function EnableSwitch() {
  const { saving, problems, showProblems } = useEditor()
  const { isEnabled, isBusy, setEnabled } = saving
  const flip = () => {
    if (isBusy) return
    if (!isEnabled && problems.length > 0) showProblems(true)
    else void setEnabled(!isEnabled)
  }
  return (
    <Switch
      checked={isEnabled}
      label={isEnabled ? 'On' : 'Off'}
      aria-disabled={isBusy || undefined}
      className={classes.switch}
      onChange={flip}
    />
  )
}

export function EditorActions() {
  const { saving, isChanged, isNew } = useEditor()
  const hasChanges = isChanged || isNew
  return (
    <>
      <span className={classes.saved} role="status">
        {isChanged ? 'Not saved yet' : ''}
      </span>
      <EnableSwitch />
      <Tooltip label={`Save (${keysText({ keys: ['mod', 'S'] })})`}>
        <Button
          loading={saving.isBusy}
          data-disabled={!hasChanges || undefined}
          aria-disabled={!hasChanges || undefined}
          onClick={() => hasChanges && void saving.save()}
        >
          Save
        </Button>
      </Tooltip>
    </>
  )
}
