/** A view that fails takes nothing else with it: the rest of the window stays, and the failure is said (U-209, U-211). */
import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'

interface ViewBoundaryProps {
  /** Another value gives the view another chance. */
  readonly view: string
  readonly children: ReactNode
}

interface State {
  readonly error: Error | null
  readonly view: string
}

/** Around one region. */
export class ViewBoundary extends Component<ViewBoundaryProps, State> {
  override state: State = { error: null, view: this.props.view }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps({ view }: ViewBoundaryProps, state: State): Partial<State> | null {
    return view === state.view ? null : { error: null, view }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <div className="mx-auto w-full max-w-(--measure) p-24">
        <Problem
          failed="This view could not be shown."
          safe="What is stored is untouched, and drafts are kept."
          next="Load the window again. If it fails each time, copy the details into a report."
          details={error.stack ?? error.message}
          actions={
            <Button size="small" onClick={() => location.reload()}>
              Load again
            </Button>
          }
        />
      </div>
    )
  }
}
