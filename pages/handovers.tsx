import { HandoversScreen } from '../components/handoffs/HandoversScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { screenPage } from '../components/ui/screenPage';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Handoffs', 'readNotes', HandoversScreen, NoPatientAccess);
