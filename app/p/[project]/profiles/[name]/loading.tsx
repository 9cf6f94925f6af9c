import { ProfileSkeleton } from "@/components/profile/profile-screen";

export default function Loading() {
  return <ProfileSkeleton />;
}
